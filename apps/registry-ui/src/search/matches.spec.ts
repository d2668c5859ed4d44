import { piecesOf } from './matches.js';

const marked = (text: string, searched: string) =>
  piecesOf(text, searched)
    .map((piece) => (piece.matches ? `[${piece.text}]` : piece.text))
    .join('');

test.each([
  ['words in any order', 'Gift cards', 'card gif', '[Gif]t [card]s'],
  ['case and accents', 'Café Åre', 'CAFE are', '[Café] [Åre]'],
  ['letters that fold to several', 'Straße', 'ss', 'Stra[ß]e'],
  ['every occurrence', 'shop-shop', 'shop', '[shop]-[shop]'],
  ['overlapping words as one', 'banana', 'ana', 'b[anana]'],
  ['nothing without words', 'Shop', '  ', 'Shop'],
  ['nothing in an empty text', '', 'a', ''],
])('marks %s', (_case, text, searched, expected) => {
  expect(marked(text, searched)).toBe(expected);
});
