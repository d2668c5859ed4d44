import { Transform } from 'class-transformer';

/** In a query DTO: makes `true` and `false` booleans; other values stay, for validation to refuse. */
export const ToBoolean = () =>
  Transform(({ value }): unknown => (value === 'true' || value === 'false' ? value === 'true' : value));

/** In a query DTO: makes digits a number; `1e3`, `0x1`, `-1` and the empty string stay, for validation to refuse. */
export const ToInteger = () =>
  Transform(({ value }): unknown =>
    typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value,
  );
