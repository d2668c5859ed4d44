import { formatMessage, optionMessage } from './option-message.js';

test.each([
  [{ option: 'includeIpRange' }, '--include-ip-range'],
  [{ option: 'header', value: false }, '--no-header'],
  [{ option: 'inputFormat' }, '--input-ip-format'],
  [{ option: 'inputFormat', value: 'ipv4' }, '-i ipv4'],
  [{ option: 'dropColumns', value: 'a,b' }, '--drop-columns a,b'],
  [{ option: 'separator' }, '-s'],
] as const)('the command line shows %j as %p', (mention, spelled) => {
  expect(formatMessage(optionMessage`give ${mention}`)).toBe(`give ${spelled}`);
});

test('only options are formatted, not similar text', () => {
  const template = optionMessage`--a-b: ${'--foo-bar'} in row ${3}: ${optionMessage`pass ${{ option: 'strict' }}`} or not`;
  expect(formatMessage(template, ({ option }) => `<${option}>`)).toBe(
    '--a-b: --foo-bar in row 3: pass <strict> or not',
  );
  expect(structuredClone(template)).toEqual(template);
});
