import { Controller, Delete, Header, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import { RequireScope } from '@svc/service-kit';
import { type Caller, CurrentCaller } from '../http/current-caller.js';
import { NO_IDEMPOTENCY_KEY } from '../idempotency/idempotency-key.decorator.js';
import { CLIENT_ID_PARAM, NO_CLIENT } from '../openapi/operation-parts.js';
import { RegistrationService } from './registration.service.js';

class NewRegistrationToken {
  @ApiProperty({
    description: 'Only this response contains it.',
    example: 'svcreg_fzZ0bT3kHk1oYlUq0c6vC0cVtQvXo2mYk0mB8a1yT0E',
  })
  readonly registration_access_token!: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Absent: it does not expire.' })
  readonly expires_at?: string;
}

/** An administrator's control over the registration access tokens of developers. */
@ApiTags('clients')
@Controller('client/:client_id/registration_token')
export class RegistrationTokenController {
  constructor(private readonly registration: RegistrationService) {}

  @Post()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @RequireScope('clients:write')
  @ApiOperation({
    operationId: 'resetRegistrationToken',
    summary: 'Give a client a new registration access token',
    description:
      'Its previous tokens stop working. A client that an administrator registered can get one, too: a developer can then manage it.',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiOkResponse({ type: NewRegistrationToken, description: 'The token.' })
  @ApiResponse(NO_IDEMPOTENCY_KEY)
  @ApiResponse({ status: 404, description: NO_CLIENT })
  async replace(
    @Param('client_id') clientId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<NewRegistrationToken> {
    const { token, expiresAt } = await this.registration.replaceToken(clientId, caller);
    return {
      registration_access_token: token,
      ...(expiresAt && { expires_at: expiresAt.toISOString() }),
    };
  }

  @Delete()
  @HttpCode(204)
  @RequireScope('clients:write')
  @ApiOperation({
    operationId: 'revokeRegistrationToken',
    summary: 'Revoke the registration access tokens of a client',
    description: 'The client stays as it is, but its developer can no longer manage it.',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiResponse({ status: 204, description: 'The client has no registration access token.' })
  @ApiResponse(NO_IDEMPOTENCY_KEY)
  @ApiResponse({ status: 404, description: NO_CLIENT })
  async revoke(@Param('client_id') clientId: string, @CurrentCaller() caller: Caller): Promise<void> {
    await this.registration.revokeToken(clientId, caller);
  }
}
