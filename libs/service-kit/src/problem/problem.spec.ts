import { Problem } from './problem.js';

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
