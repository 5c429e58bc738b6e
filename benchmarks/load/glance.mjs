// What spectators do with a state in the middle of a game: they only note which it is, or the load would be slower than
// what it loads. Players take every board to pieces, and so does everybody at the end of a game.

// The number after `key` in a text
export function number(text, key) {
  return parseInt(text.substr(text.indexOf(key) + key.length, 8), 10);
}
