import { codePointOf } from '../violations/violation.js';

/** Alphabets with confusable letters (UTS #39 section 4); legitimate words do not mix them. */
const ALPHABETS: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];

/** Letters of other alphabets that look Latin; a text consisting only of these reads as Latin. */
const LATIN_LOOK_ALIKES = /^[асеорхуѕіјԁԛԝһӏАВЕЅІЈКМНОРСТХҮαορνυικΑΒΕΖΗΙΚΜΝΟΡΤΥΧ\P{L}]+$/u;

/** Full-width and mathematical Latin letters. */
const DISGUISED = /[\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7ff}]/u;

const INVISIBLE = /[\u00ad\u034f\u180e\u200b-\u200d\u2060-\u2064\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]/gu;

/** Words that mix alphabets, or the whole text if all its letters are Latin look-alikes. */
export function lookAlikeWords(text: string): string[] {
  const words = text.split(/[^\p{L}\p{M}]+/u).filter((word) => word !== '');
  const mixed = words.filter(
    (word) => DISGUISED.test(word) || ALPHABETS.filter((alphabet) => alphabet.test(word)).length > 1,
  );
  if (mixed.length > 0) return mixed;
  const letters = words.join('');
  return letters.length > 2 && LATIN_LOOK_ALIKES.test(letters) ? words : [];
}

/** The distinct invisible characters in the text, in the form U+200B. */
export function invisibleCharacters(text: string): string[] {
  const found = new Set(text.match(INVISIBLE) ?? []);
  return [...found].map(codePointOf);
}
