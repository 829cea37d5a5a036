// The language of the page: what speaks it, and which page a reader is led to who comes to the English one.

/** Remember something for the next time; a browser that keeps nothing begins anew. */
export function remember(name, said) {
  try {
    localStorage.setItem(name, said);
  } catch { }
}

export function remembered(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** What remembers the language that somebody has chosen. */
const CHOSEN = "tironian-language";
export const { lang } = document.documentElement;
/** How dates and numbers are written: as the browser writes them where it speaks that language. */
export const locale = navigator.languages.find((each) => each.split("-")[0] === lang) ?? lang;
const pages = [...document.querySelectorAll(".languages a")];

/** The page in another language, at the same place. */
const address = (page) => page.getAttribute("href").split(/[?#]/)[0] + location.search + location.hash;
for (const page of pages) page.onclick = () => {
  remember(CHOSEN, page.lang);
  page.href = address(page);
};

const wishes = remembered(CHOSEN) ? [remembered(CHOSEN)] : navigator.languages.map((each) => each.split("-")[0]);
const wanted = wishes.map((wish) => pages.find((page) => page.lang === wish)).find(Boolean);
if (lang === "en" && wanted && wanted.lang !== lang) {
  location.replace(address(wanted));
  await new Promise(() => {});  // nothing else of this page begins
}

/** The form of a sentence for a number. */
export const formOf = (forms, number) => forms[new Intl.PluralRules(lang).select(number)] ?? forms.other;
