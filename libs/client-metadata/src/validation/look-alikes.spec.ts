import { invisibleCharacters, lookAlikeWords } from './look-alikes.js';

test.each([
  'My App',
  'Žluťoučký kůň',
  'Приложение',
  'Εφαρμογή',
  '我的 App',
  'アプリ2',
  'App для всех',
  'ухо'.slice(0, 2),
  'AΩ Lab'.slice(3),
])('%s mixes nothing', (name) => {
  expect(lookAlikeWords(name)).toEqual([]);
});

test.each([
  ['a Cyrillic а in a Latin word', 'Pаypal', ['Pаypal']],
  ['a Greek ο in a Latin word', 'Gοogle Login', ['Gοogle']],
  ['an Armenian letter', 'Gօogle', ['Gօogle']],
  ['a Cherokee letter', 'Ꭺpple', ['Ꭺpple']],
  ['Cyrillic and Greek', 'Мοсква', ['Мοсква']],
  ['full-width letters', 'Ｐａｙ', ['Ｐａｙ']],
  ['mathematical letters', '𝐏𝐚𝐲', ['𝐏𝐚𝐲']],
  ['Cyrillic letters that spell a Latin word', 'аррӏе', ['аррӏе']],
  ['a word beside others', 'Login with Pаypal', ['Pаypal']],
])('%s is a look-alike', (_case, name, words) => {
  expect(lookAlikeWords(name)).toEqual(words);
});

test('a word of two letters is too short to count as imitating a Latin one, three are enough', () => {
  expect(lookAlikeWords('ор')).toEqual([]);
  expect(lookAlikeWords('рау')).toEqual(['рау']);
});

test('a real word of another alphabet is not a look-alike', () => {
  expect(lookAlikeWords('Система')).toEqual([]);
  expect(lookAlikeWords('123 !')).toEqual([]);
});

test('invisible characters are named, each once', () => {
  expect(invisibleCharacters('a\u200bb\u200bc\ufeffd\u00ad\u{e0041}')).toEqual([
    'U+200B',
    'U+FEFF',
    'U+00AD',
    'U+E0041',
  ]);
  expect(invisibleCharacters('plain text')).toEqual([]);
});
