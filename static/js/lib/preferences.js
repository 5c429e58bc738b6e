/**
 * What a reader has chosen: theme, speed, sounds and the rest. The server writes it on <html> from a cookie, so the first
 * paint is right; here it is read and changed. Every change is told as an event `preferences` on the document.
 */
const COOKIE = 'settings';
const YEAR_S = 365 * 24 * 60 * 60;

/** One choice by its name; '1' and '0' are yes and no. */
export const preference = (name) => document.documentElement.dataset[name];

/** Whether the reader wants what `name` is. */
export const prefers = (name) => preference(name) === '1';

/** The speed of a sowing: the reader's choice, or what the system asks for: calm, normal, brisk or instant. */
export function speed() {
  const chosen = preference('speed');
  if (chosen !== 'auto') return chosen;
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'normal';
}

/** The text of the cookie after a change. Pure. */
export function changed(cookies, name, value) {
  const kept = cookies.split('; ').find((cookie) => cookie.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
  const choices = new URLSearchParams(kept);
  choices.set(name, value);
  return `${COOKIE}=${choices}`;
}

export function setPreference(name, value) {
  document.documentElement.dataset[name] = value;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${changed(document.cookie, name, value)}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax${secure}`;
  document.dispatchEvent(new CustomEvent('preferences', { detail: { name, value } }));
}

/** Say no to what the reader wanted, or yes. */
export const togglePreference = (name) => setPreference(name, prefers(name) ? '0' : '1');
