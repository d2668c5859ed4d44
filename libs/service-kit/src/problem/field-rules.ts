/** What breaking one of class-validator's rules is called here, whatever that package calls it. */
export interface FieldRule {
  /** The same as in the validation of a Client, where it knows the rule too. */
  readonly code: string;
  /** @param limits of the rule, such as the largest number @returns what follows the name of the field */
  readonly words: (limits: readonly unknown[]) => string;
}

/** By class-validator's names, those first that make others pointless: what is no string has no length. */
export const FIELD_RULES: ReadonlyMap<string, FieldRule> = new Map<string, FieldRule>([
  ['isString', { code: 'type', words: () => 'must be a string' }],
  ['isInt', { code: 'type', words: () => 'must be a whole number' }],
  ['isBoolean', { code: 'type', words: () => 'must be true or false' }],
  ['isDate', { code: 'type', words: () => 'must be a time' }],
  ['isArray', { code: 'type', words: () => 'must be a list' }],
  ['isObject', { code: 'type', words: () => 'must be a JSON object' }],
  ['min', { code: 'too_small', words: ([least]) => `must be at least ${String(least)}` }],
  ['max', { code: 'too_large', words: ([most]) => `must be at most ${String(most)}` }],
  [
    'isLength',
    {
      code: 'length',
      words: ([least, most]) => `must be ${String(least)} to ${String(most)} characters long`,
    },
  ],
  ['maxLength', { code: 'too_long', words: ([most]) => `must be at most ${String(most)} characters long` }],
  ['arrayNotEmpty', { code: 'too_few', words: () => 'must have at least 1 element' }],
  ['arrayMaxSize', { code: 'too_many', words: ([most]) => `must have at most ${String(most)} elements` }],
  ['isIn', { code: 'value_not_supported', words: ([values]) => `must be one of ${listed(values)}` }],
  ['arrayUnique', { code: 'duplicate', words: () => 'must not hold anything twice' }],
  ['matches', { code: 'format', words: ([pattern]) => `must match ${String(pattern)}` }],
]);

/** Of a service's own rules, whose words are its own too. */
export const OWN_RULE_CODE = 'format';

/** The empty string, which a query has for a name without a value, cannot be shown. */
function listed(values: unknown): string {
  return (values as readonly unknown[]).filter((value) => value !== '').join(', ');
}
