import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { type SupportedFeatures, supportedFeatures } from '@svc/client-metadata';
import { RequireScope } from '@svc/service-kit';
import { schemaRef } from '../openapi/schema-ref.js';
import { RegistrySettings } from '../settings/registry-settings.js';

@ApiTags('clients')
@Controller('client/features')
export class FeaturesController {
  private readonly features: SupportedFeatures;

  constructor(settings: RegistrySettings) {
    this.features = supportedFeatures(settings.capabilities);
  }

  @Get()
  @RequireScope('clients:read')
  @ApiOperation({ summary: 'The metadata that this registry supports, field by field, with schemas.' })
  @ApiResponse({ status: 200, schema: schemaRef('Features') })
  read(): SupportedFeatures {
    return this.features;
  }
}
