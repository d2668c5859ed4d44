import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayNotEmpty, ArrayUnique, IsOptional, Matches } from 'class-validator';
import { CLIENT_ID } from '../clients/credentials.js';
import { ClientFilterQuery } from '../clients/list/list-clients.query.js';

/** Of short ids: of long ones fewer fit into a request's address, which is read up to 16 KiB. */
const MAX_IDS = 500;

/** Query of `GET /clients/export`. */
export class ExportQuery extends ClientFilterQuery {
  @ApiPropertyOptional({
    type: 'string',
    isArray: true,
    maxItems: MAX_IDS,
    description: 'These Clients, where they exist. Once for each; not together with other parameters.',
  })
  @Transform(({ value }) => (Array.isArray(value) ? (value as unknown[]) : [value]))
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_IDS)
  @ArrayUnique()
  @Matches(CLIENT_ID, { each: true, message: 'client_id must be 1 to 255 printable ASCII characters' })
  @IsOptional()
  client_id?: string[];
}
