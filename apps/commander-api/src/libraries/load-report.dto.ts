import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { LibraryFinding, LoadProgress, LoadReport, PlannedChange } from '@svc/library-sync';
import { ApiCount, ApiOptionalCount, ProblemDocument } from '@svc/service-kit';
import { DESTINATION, REVISION, SignatureDocument, SOURCE } from './document-properties.js';

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

  @ApiOptionalCount('Number of an interrupted load that this one completed or, with dry_run, would complete.')
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

  @ApiPaths('The nodes in `foreign` and `kept` that the loader cannot read (no permission).')
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

/** How far a load is. */
class LoadProgressDocument implements LoadProgress {
  @ApiProperty({ enum: ['reading', 'checking', 'waiting', 'comparing', 'writing'] })
  readonly phase!: LoadProgress['phase'];

  @ApiOptionalCount('Files and folders written so far; only while `writing`.')
  readonly done?: number;

  @ApiOptionalCount('Files and folders to write; only while `writing`.')
  readonly total?: number;
}

/** A line of a streamed load. */
@ApiSchema({
  description:
    'A line of a streamed load. It has one member: `progress` or, in the last line, `report` or `problem`.',
})
export class LoadStreamLine {
  @ApiPropertyOptional({ description: 'How far the load has got.' })
  readonly progress?: LoadProgressDocument;

  @ApiPropertyOptional({ description: 'What the load did.' })
  readonly report?: LoadReportDocument;

  @ApiPropertyOptional({ description: 'Why the load failed.' })
  readonly problem?: ProblemDocument;
}
