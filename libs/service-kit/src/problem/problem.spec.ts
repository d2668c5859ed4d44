import type { ArgumentsHost } from '@nestjs/common';
import { createLogger } from '../logging/create-logger.js';
import { Problem } from './problem.js';
import { ProblemFilter } from './problem.filter.js';

const error = (length: number) => ({
  field: `/${'f'.repeat(length)}`,
  code: 'type',
  message: 'm'.repeat(length),
});
const documentOf = (errors: ReturnType<typeof error>[], text = '') =>
  new Problem({ status: 400, detail: `wrong: ${text}`, errors }).toDocument(`/${text}`, 'id');

test('a document stays small whatever the request contained', () => {
  const megabyte = 'x'.repeat(1024 * 1024);
  const document = documentOf(Array<ReturnType<typeof error>>(5_000).fill(error(1024 * 1024)), megabyte);
  expect(JSON.stringify(document).length).toBeLessThan(64 * 1024);
  const { detail, instance, errors = [] } = document;
  expect([detail.slice(-3), instance.slice(-3), errors[0]?.message.slice(-3)]).toEqual(['...', '...', '...']);
  expect(errors.at(-1)).toEqual({
    field: '',
    code: 'more_problems',
    message: `there are ${5_000 - (errors.length - 1)} more violations`,
  });
});

test('short texts are kept', () => {
  const errors = Array.from({ length: 200 }, (_, index) => error(index / 2));
  expect(documentOf(errors, 'short')).toMatchObject({ detail: 'wrong: short', instance: '/short', errors });
});

test('a text is not cut within a character', () => {
  const astral = (before: number) => `${'x'.repeat(before)}${'😀'.repeat(1_000)}`;
  for (const before of [0, 1]) {
    const { detail, errors = [] } = new Problem({
      status: 400,
      detail: astral(before),
      errors: [{ field: astral(before), code: 'type', message: astral(before) }],
    }).toDocument('/', 'id');
    expect([detail, errors[0]?.field, errors[0]?.message].join('')).not.toMatch(/\p{Surrogate}/u);
  }
});

test.each([
  ['a request stopped since its caller has left', true, true, ['info']],
  ['a request stopped while its caller waits', true, false, ['error']],
  ['a failure, whether the caller has left or not', false, true, ['error']],
])('%s is logged at its level', (_what, isStop, destroyed, levels) => {
  const lines: string[] = [];
  const logger = createLogger('sample', 'info', { write: (line) => void lines.push(line) });
  const reply = { sent: true, raw: { destroyed, destroy: () => undefined } };
  const http = { getRequest: () => ({ id: 'id', raw: {} }), getResponse: () => reply };
  const host = { switchToHttp: () => http } as unknown as ArgumentsHost;
  new ProblemFilter([], logger).catch(new Problem({ status: 503, detail: 'It was stopped.', isStop }), host);
  expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(levels);
});
