import { piecesOf } from './matches.js';

const marked = (text: string, searched: string) =>
  piecesOf(text, searched)
    .map((piece) => (piece.matches ? `[${piece.text}]` : piece.text))
    .join('');

test.each([
  ['words in any order', 'Gift cards', 'card gif', '[Gif]t [card]s'],
  ['case and accents', 'Café Åre', 'CAFE are', '[Café] [Åre]'],
  ['letters that Unicode does not decompose', 'Łódź Smørrebrød', 'lodz smorre', '[Łódź] [Smørre]brød'],
  ['short words only where words begin', 'Shop hotel', 'ho', 'Shop [ho]tel'],
  [
    'a pasted URL without scheme and query',
    'shop.example/cb',
    'https://shop.example/cb?x=1',
    '[shop.example/cb]',
  ],
  ['letters that fold to several', 'Straße', 'rass', 'St[raß]e'],
  ['every occurrence', 'shop-shop', 'shop', '[shop]-[shop]'],
  ['overlapping words as one', 'banana', 'ana', 'b[anana]'],
  ['nothing without words', 'Shop', '  ', 'Shop'],
  ['nothing in an empty text', '', 'a', ''],
])('marks %s', (_case, text, searched, expected) => {
  expect(marked(text, searched)).toBe(expected);
});
