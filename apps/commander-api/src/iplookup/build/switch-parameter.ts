import { Transform } from 'class-transformer';
import { IsBoolean, IsOptional } from 'class-validator';
import { Parameter } from './parameter.js';

const ON = ['', 'true', '1', 'yes'];
const OFF = ['false', '0', 'no'];

/** A boolean in JSON; in a query, the name alone means yes. */
export const Switch = (description: string) =>
  Parameter(
    { type: Boolean, description },
    Transform(({ value }: { value: unknown }) => toSwitch(value) ?? value),
    IsOptional(),
    IsBoolean(),
  );

/** @returns undefined for what is not a switch */
export function toSwitch(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  if (ON.includes(value)) return true;
  return OFF.includes(value) ? false : undefined;
}
