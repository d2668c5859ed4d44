import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';

/** Longer than any secret; a hash of more would be work for nothing. */
const MAX_LENGTH = 1_024;

/** Body of `POST /client/{client_id}/check/secret`. */
export class CheckSecretBody {
  @ApiProperty({ maxLength: MAX_LENGTH, description: 'What the Client has sent as its client_secret.' })
  @IsString()
  @MaxLength(MAX_LENGTH)
  client_secret!: string;
}
