import { Transform } from 'class-transformer';

/** In a query DTO: `true` and `false` are booleans; what is neither stays, for a rule to refuse. */
export const ToBoolean = () =>
  Transform(({ value }): unknown => (value === 'true' || value === 'false' ? value === 'true' : value));

/** In a query DTO: digits are a number; `1e3`, `0x1`, `-1` and the empty string stay, for a rule to refuse. */
export const ToInteger = () =>
  Transform(({ value }): unknown =>
    typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value,
  );
