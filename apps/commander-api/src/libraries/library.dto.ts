import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type {
  Drift,
  LibraryFinding,
  LibraryStatus,
  LoadRecord,
  LoadReport,
  LockHolder,
  PlannedChange,
  SourceSignature,
} from '@svc/library-sync';

const TIME = '2026-11-21T08:00:00.000Z';
const REVISION = '9fceb02d0ae598e95dc970b74767f19372d61af8';
const SOURCE = 'git.example.com/library.git';
const DESTINATION = 'zookeeper-1:2181 /library';
const LOADER = 'svc@svc-commander, process 1';

const ApiCount = (description: string, example = 0) =>
  ApiProperty({ type: 'integer', minimum: 0, description, example });

const ApiOptionalCount = (description: string, example?: number) =>
  ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description,
    ...(example !== undefined && { example }),
  });

const ApiPaths = (description: string) => ApiProperty({ type: [String], description, example: [] });

/** A warning or note about the source. */
class LibraryProblemDocument implements LibraryFinding {
  @ApiProperty({
    enum: ['error', 'warning', 'note'],
    description: '`error` stops a load before its first write.',
  })
  readonly severity!: LibraryFinding['severity'];

  @ApiProperty({ description: "Path from the library's root; empty: the library as a whole." })
  readonly path!: string;

  @ApiOptionalCount('From 1, for problems inside a file.')
  readonly line?: number;

  @ApiOptionalCount('From 1, in characters.')
  readonly column?: number;

  @ApiProperty({ description: 'The rule, for programs.', example: 'yaml-duplicate-key' })
  readonly code!: string;

  @ApiProperty({ description: 'The rule, as text.' })
  readonly message!: string;
}

/** One line of a plan. */
class PlannedChangeDocument implements PlannedChange {
  @ApiProperty({ enum: ['create', 'update', 'remove'] })
  readonly action!: PlannedChange['action'];

  @ApiProperty({ enum: ['file', 'folder'] })
  readonly kind!: PlannedChange['kind'];

  @ApiProperty({ example: 'Parsers/Linux/10_sshd.yaml' })
  readonly path!: string;
}

/** Who signed what was loaded: only with `source.verify`. */
class SignatureDocument implements Partial<SourceSignature> {
  @ApiPropertyOptional({
    description:
      'With `source.verify`: the names that the list of allowed signers gives the key, such as `alice@example.com`.',
  })
  readonly signed_by?: string;

  @ApiPropertyOptional({ description: "The key's fingerprint." })
  readonly signing_key?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'When, as the signer says.' })
  readonly signed_at?: string;
}

/** What a load did or would do. */
class LoadCounts extends SignatureDocument {
  @ApiProperty({ example: SOURCE })
  readonly source!: string;

  @ApiProperty({ example: REVISION })
  readonly revision!: string;

  @ApiProperty({ example: DESTINATION })
  readonly destination!: string;

  @ApiProperty({ description: 'Nothing was written: this is what would be done.', example: false })
  readonly dry_run!: boolean;

  @ApiProperty({ description: 'False when the library was up to date: no node was written.' })
  readonly changed!: boolean;

  @ApiProperty({
    description: 'True when if_changed found the revision of the last load: the source was not read.',
    example: false,
  })
  readonly skipped!: boolean;

  @ApiCount('Number of the load that the library is at; 0 before the first.', 7)
  readonly load!: number;

  @ApiOptionalCount('Number of an interrupted load that this one completed.')
  readonly completed?: number;

  @ApiCount('Files and folders.', 2)
  readonly created!: number;

  @ApiCount('Files and folders.', 1)
  readonly updated!: number;

  @ApiCount('Files and folders.')
  readonly deleted!: number;

  @ApiCount('Files and folders.', 40)
  readonly unchanged!: number;

  @ApiCount('Bytes written or, with dry_run, to be written.', 5821)
  readonly bytes!: number;

  @ApiProperty({ example: 0.061 })
  readonly seconds!: number;

  @ApiProperty({
    type: [LibraryProblemDocument],
    description: 'Warnings and notes about the source.',
    example: [],
  })
  readonly problems!: readonly LibraryFinding[];

  @ApiPaths('Stored, not in the source, and not written by a load: left alone.')
  readonly foreign!: readonly string[];

  @ApiPaths('Kept because of prune=none, or because others keep nodes below them.')
  readonly kept!: readonly string[];

  @ApiPaths('The nodes in `foreign` and `kept` that the loader may not read.')
  readonly unreadable!: readonly string[];
}

/** What a load did. */
export class LoadReportDocument extends LoadCounts implements LoadReport {
  @ApiPropertyOptional({
    description: 'Value of the version node; absent when there is none.',
    example: '12',
  })
  readonly version?: string;
}

/** What a load would do. */
export class PlanDocument extends LoadCounts implements LoadReport {
  @ApiProperty({ example: true })
  declare readonly dry_run: boolean;

  @ApiPropertyOptional({ description: 'Value of the version node; absent when there is none.' })
  readonly version?: string;

  @ApiPropertyOptional({ type: [PlannedChangeDocument], description: 'The plan; with dry_run only.' })
  readonly changes?: readonly PlannedChange[];
}

/** What a finished load wrote, and its source. */
export class LoadRecordDocument extends SignatureDocument implements LoadRecord {
  @ApiCount('Number of the load.', 7)
  readonly load!: number;

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

  @ApiCount('Nodes that hold the list of paths.', 1)
  readonly parts!: number;

  @ApiOptionalCount('Nodes that hold the versions of nodes.')
  readonly version_parts?: number;

  @ApiOptionalCount('The lowest version that a new node may get.')
  readonly version_floor?: number;

  @ApiOptionalCount('Nodes with paths of interrupted loads; only until the load is done.')
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
    description: '`unreadable`: the loader may not read it, or a folder above it.',
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
    description: 'What others changed: with drift, unless a load is pending.',
  })
  readonly drift?: readonly Drift[];
}

/** The outcome of a hook. */
export class HookAnswer {
  @ApiProperty({ description: 'False for a hook that is not a push.' })
  readonly loading!: boolean;
}
