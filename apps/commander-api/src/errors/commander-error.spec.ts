import { CommanderError } from './commander-error.js';

const ODD = 'a\nb\u0085c\u202ed';
const SHOWN = 'a\\nb\\u0085c\\u202ed';

test('a quoted name adds no line to an error, and cannot change how a terminal shows it', () => {
  const error = new CommanderError('failed', `cannot read ${ODD}`);
  expect([error.message, error.detail]).toEqual([`cannot read ${SHOWN}`, `cannot read ${SHOWN}`]);
  expect(new CommanderError('failed', [`${ODD}: is a link`, 'nothing was written']).message).toBe(
    `${SHOWN}: is a link\nnothing was written`,
  );
});

test('nor to what HTTP callers read', () => {
  const violations = [{ field: `${ODD}:3`, code: 'schema', message: `has the key ${ODD}` }];
  const error = new CommanderError('invalid_library', 'it has 1 error', { detail: ODD, violations });
  expect(error).toMatchObject({
    detail: SHOWN,
    violations: [{ field: `${SHOWN}:3`, code: 'schema', message: `has the key ${SHOWN}` }],
  });
});
