import { Controller, Get, Query } from '@nestjs/common';
import {
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScope } from '@svc/service-kit';
import { NoQuery } from '../http/requests-without-options.js';
import { LibrariesService } from './libraries.service.js';

class LoadFailureDocument {
  @ApiProperty({ format: 'date-time' })
  readonly at!: string;

  @ApiProperty()
  readonly reason!: string;
}

class LibrarySummaryDocument {
  @ApiPropertyOptional({ description: 'Absent for the unnamed library.', example: 'parsers' })
  readonly name?: string;

  @ApiProperty({ description: 'The prefix of its endpoints.', example: '/libraries/parsers' })
  readonly path!: string;

  @ApiProperty({
    enum: ['none', 'loaded', 'failed'],
    description: 'Outcome of the last load since the server started; none before the first.',
    example: 'loaded',
  })
  readonly state!: 'none' | 'loaded' | 'failed';

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'When a load last succeeded, or the source was found unchanged.',
  })
  readonly last_success?: string;

  @ApiPropertyOptional({ type: LoadFailureDocument, description: 'The last load that failed.' })
  readonly last_failure?: LoadFailureDocument;
}

class LibraryListDocument {
  @ApiProperty({ type: [LibrarySummaryDocument] })
  readonly libraries!: readonly LibrarySummaryDocument[];
}

@ApiTags('library')
@Controller('libraries')
export class LibraryListController {
  constructor(private readonly libraries: LibrariesService) {}

  @Get()
  @RequireScope('library:read')
  @ApiOperation({
    operationId: 'listLibraries',
    summary: 'List the libraries that the token may use',
    description:
      'With the outcome of the last load of each since the server started. Contacts no source or destination.',
  })
  @ApiOkResponse({ type: LibraryListDocument, description: 'The libraries, the unnamed one first.' })
  @ApiResponse({ status: 400, description: 'The request has a parameter, but none is supported.' })
  list(@CurrentPrincipal() caller: Principal, @Query() _query: NoQuery): LibraryListDocument {
    const libraries = this.libraries.list(caller).map(({ settings: { name }, outcomes }) => ({
      ...(name !== undefined && { name }),
      path: name === undefined ? '/library' : `/libraries/${name}`,
      ...outcomes.summary(),
    }));
    return { libraries };
  }
}
