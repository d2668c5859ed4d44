import { ApiPropertyOptional } from '@nestjs/swagger';
import { isOn, IsSwitch } from './switch-query.js';

/** Options of a look at the destination, as the query of a request. */
export class StatusQuery {
  @ApiPropertyOptional({ type: Boolean, description: 'Read the library, and list what others changed.' })
  @IsSwitch()
  readonly drift?: string;
}

export function wantsDrift({ drift }: StatusQuery): boolean {
  return isOn(drift);
}
