import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsOptional } from 'class-validator';

/** Body of `POST /client/{client_id}/check/cookie_webhook`; it may be left out. */
export class CheckCookieWebhookBody {
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Claims to send beside, or in the place of, those of the sample user.',
  })
  @IsObject()
  @IsOptional()
  user?: Record<string, unknown>;
}
