import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { supportedFeatures } from '@svc/client-metadata';
import { RequireScope } from '@svc/service-kit';
import { HASH_SCHEMES } from '../foreign-hashes/parse-foreign-hash.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import { Features } from './features.dto.js';

@ApiTags('clients')
@Controller('client/features')
export class FeaturesController {
  private readonly features: Features;

  constructor(settings: RegistrySettings) {
    const { importMaxSeconds } = settings.secrets;
    this.features =
      importMaxSeconds === undefined
        ? supportedFeatures(settings.capabilities)
        : supportedFeatures(settings.capabilities, {
            hashes: HASH_SCHEMES,
            hash_max_age_seconds: importMaxSeconds,
          });
  }

  @Get()
  @RequireScope('clients:read', 'clients:follow')
  @ApiOperation({
    operationId: 'getFeatures',
    summary: 'Read the Client metadata that this registry supports',
    description:
      'Every field with its type, default, allowed values and limits; JSON Schemas, templates and deviations.',
  })
  @ApiOkResponse({ type: Features, description: 'The supported metadata.' })
  read(): Features {
    return this.features;
  }
}
