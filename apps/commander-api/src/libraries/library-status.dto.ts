import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Drift, LibraryStatus, LoadRecord, LockHolder } from '@svc/library-sync';
import { ApiCount, ApiOptionalCount } from '@svc/service-kit';
import { DESTINATION, REVISION, SignatureDocument, SOURCE } from './document-properties.js';

const TIME = '2026-11-21T08:00:00.000Z';
const LOADER = 'svc@svc-commander, process 1';

/** What a finished load wrote, and its source. */
export class LoadRecordDocument extends SignatureDocument implements LoadRecord {
  @ApiCount('Number of the load.', 7)
  readonly load!: number;

  @ApiPropertyOptional({
    enum: ['rollback', 'repair'],
    description:
      'Absent for a load of the source. A repair restores what others changed since the load before.',
  })
  readonly kind?: NonNullable<LoadRecord['kind']>;

  @ApiProperty({ example: SOURCE })
  readonly source!: string;

  @ApiProperty({ enum: ['folder', 'git'], example: 'git' })
  readonly source_kind!: LoadRecord['source_kind'];

  @ApiProperty({ description: 'Identifies the source.', example: SOURCE })
  readonly origin!: string;

  @ApiPropertyOptional({
    description: 'Identifies the source that the destination belongs to, where it is not `origin`.',
  })
  readonly owner?: string;

  @ApiProperty({ example: REVISION })
  readonly revision!: string;

  @ApiPropertyOptional({
    description: 'The revision did not descend from the one loaded before, which `allow_older` accepted.',
    example: true,
  })
  readonly allowed_older?: true;

  @ApiProperty({ description: 'User, host and process of the loader.', example: LOADER })
  readonly by!: string;

  @ApiProperty({ format: 'date-time', example: TIME })
  readonly started_at!: string;

  @ApiPropertyOptional({ format: 'date-time', example: '2026-11-21T08:00:00.061Z' })
  readonly finished_at?: string;

  @ApiOptionalCount('Files and folders.', 2)
  readonly created?: number;

  @ApiOptionalCount('Files and folders.', 1)
  readonly updated?: number;

  @ApiOptionalCount('Files and folders.', 0)
  readonly deleted?: number;

  @ApiOptionalCount('Files and folders.', 40)
  readonly unchanged?: number;

  @ApiCount('Files of the library.', 38)
  readonly files!: number;

  @ApiCount('Bytes written.', 5821)
  readonly bytes!: number;

  @ApiPropertyOptional({ description: 'Value of the version node after the load.', example: '12' })
  readonly version?: string;

  @ApiCount('Number of nodes that hold the list of paths.', 1)
  readonly parts!: number;

  @ApiOptionalCount('Number of nodes that hold the versions of nodes.')
  readonly version_parts?: number;

  @ApiOptionalCount('The lowest version that a new node may get.')
  readonly version_floor?: number;

  @ApiOptionalCount('Number of nodes with paths of interrupted loads; only until the load is done.')
  readonly leftover_parts?: number;
}

/** The last ten loads. */
export class LoadHistoryDocument {
  @ApiProperty({ type: [LoadRecordDocument], description: 'Newest first.' })
  readonly loads!: readonly LoadRecord[];
}

/** A load that is running or was interrupted. */
class PendingLoadDocument {
  @ApiProperty({ type: 'integer', description: 'Number of the load.' })
  readonly load!: number;

  @ApiProperty({ description: 'User, host and process of the loader.' })
  readonly by!: string;

  @ApiProperty({ format: 'date-time' })
  readonly since!: string;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Of a rollback: number of the load that it restores.',
  })
  readonly restores?: number;
}

class LockHolderDocument implements LockHolder {
  @ApiProperty({ description: 'Unique to this load.' })
  readonly id!: string;

  @ApiProperty({ description: 'User, host and process of the loader.' })
  readonly by!: string;

  @ApiProperty({ format: 'date-time' })
  readonly since!: string;
}

class DriftDocument implements Drift {
  @ApiProperty({ description: "Path from the library's root." })
  readonly path!: string;

  @ApiProperty({
    enum: ['changed', 'missing', 'unreadable'],
    description: '`unreadable`: the loader cannot read it, or a folder above it (no permission).',
  })
  readonly change!: Drift['change'];
}

/** Which load the destination is at. */
export class LibraryStatusDocument implements LibraryStatus {
  @ApiProperty({ example: DESTINATION })
  readonly destination!: string;

  @ApiCount('Number of the last finished load; 0 before the first.', 7)
  readonly load!: number;

  @ApiPropertyOptional({
    description: 'Value of the version node; absent when there is none.',
    example: '12',
  })
  readonly version?: string;

  @ApiPropertyOptional({ type: LoadRecordDocument, description: 'The last finished load.' })
  readonly last?: LoadRecord;

  @ApiPropertyOptional({
    type: PendingLoadDocument,
    description: 'A load that is running or was interrupted; the next load completes it.',
  })
  readonly pending?: LibraryStatus['pending'];

  @ApiPropertyOptional({ type: LockHolderDocument, description: 'Who is loading now.' })
  readonly lock?: LockHolder;

  @ApiPropertyOptional({
    type: [DriftDocument],
    description:
      'What others changed since the last load; only if `drift` was requested, no load is pending, and the record of the last load is complete.',
  })
  readonly drift?: readonly Drift[];
}
