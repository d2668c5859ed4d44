import { applyDecorators } from '@nestjs/common';
import { IsIn, IsOptional } from 'class-validator';

const OFF = ['false', '0', 'no'];

/** A query parameter that is on or off: `?dry_run` alone means on. */
export const IsSwitch = () => applyDecorators(IsOptional(), IsIn(['', 'true', '1', 'yes', ...OFF]));

export function isOn(value: string | undefined): boolean {
  return value !== undefined && !OFF.includes(value);
}
