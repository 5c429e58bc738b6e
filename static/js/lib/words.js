/** A phrase book: keys to sentences. Pure; the sentences themselves come from the page. */

/**
 * `entries` are [key, text]; {names} in a text are filled in from the values. A key without a text of its own is looked
 * up with the plural form of the value `n`: `stones` finds `stones.one` or `stones.other`.
 */
export function phraseBook(entries, language) {
  const phrases = new Map(entries);
  const plural = new Intl.PluralRules(language);
  return (key, values = {}) => {
    const text = phrases.get(key) ?? phrases.get(`${key}.${plural.select(values.n)}`) ?? phrases.get(`${key}.other`);
    if (text === undefined) return key; // odd to read, but the game goes on
    return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  };
}

/** The phrases of a <template> of <data value="key">text</data>. */
export function phrasesOf(template) {
  return [...template.content.querySelectorAll('data')].map((node) => [node.value, node.textContent]);
}
