import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { supportedFeatures } from '@svc/client-metadata';
import { RequireScope } from '@svc/service-kit';
import { TEMPORARY_LIFE } from '../clients/redirect-uris.dto.js';
import { MAX_TEMPORARY_URIS } from '../clients/temporary-uris.js';
import { HASH_SCHEMES } from '../foreign-hashes/parse-foreign-hash.js';
import { RegistrySettings, UsagePolicy } from '../settings/registry-settings.js';
import { Features } from './features.dto.js';

@ApiTags('clients')
@Controller('client/features')
export class FeaturesController {
  private readonly features: Features;

  constructor(settings: RegistrySettings, usage: UsagePolicy) {
    const { importMaxSeconds } = settings.secrets;
    const supported =
      importMaxSeconds === undefined
        ? supportedFeatures(settings.capabilities)
        : supportedFeatures(settings.capabilities, {
            hashes: HASH_SCHEMES,
            hash_max_age_seconds: importMaxSeconds,
          });
    this.features = {
      ...supported,
      usage: { is_recorded: usage.isRecorded, retention_days: usage.days },
      temporary_redirect_uris: {
        per_client: MAX_TEMPORARY_URIS,
        life_seconds: { minimum: TEMPORARY_LIFE.least, maximum: TEMPORARY_LIFE.most },
      },
    };
  }

  @Get()
  @RequireScope('clients:read', 'clients:follow')
  @ApiOperation({
    operationId: 'getFeatures',
    summary: 'Read the client metadata that this registry supports',
    description:
      'Every field with its type, default, allowed values and limits; JSON Schemas, templates and deviations.',
  })
  @ApiOkResponse({ type: Features, description: 'The supported metadata.' })
  read(): Features {
    return this.features;
  }
}
