import { type LibraryFinding, type LoadProgress, findingText } from '@svc/library-sync';
import type { CommandContext } from '../command-line/command-context.js';
import { progressLine } from '../command-line/progress-line.js';
import { CommanderError } from '../errors/commander-error.js';
import { chooseLibrary, splitWords } from './choose-library.js';
import { withLibraryErrors } from './libraries.errors.js';
import { diffMarkdown } from './diff-markdown.js';
import * as tasks from './library-tasks.js';
import type { SourceOverrides } from './open-library.js';
import { pull as pullStoredLibrary } from './pull-stored-library.js';
import { historyText, pendingText, pullText, reportText, statusText, validationText } from './report-text.js';
import { type LoadEvents, type LoadRequest, runLoad } from './run-load.js';

export async function load(
  context: CommandContext,
  name: string | undefined,
  request: LoadRequest,
): Promise<void> {
  const library = chooseLibrary(context.config(), name);
  const report = await withProgress(context, (events) => runLoad(library, request, events));
  noteFindings(context, report.problems);
  context.answer({ text: reportText(report), value: report });
}

export async function diff(
  context: CommandContext,
  name: string | undefined,
  flags: SourceOverrides & { readonly exitCode?: boolean; readonly format: 'text' | 'markdown' },
): Promise<void> {
  const library = chooseLibrary(context.config(), name);
  const report = await withProgress(context, (events) => tasks.diff(library, flags, events));
  const isMarkdown = flags.format === 'markdown';
  // In Markdown, the problems are part of the comment.
  if (!isMarkdown) noteFindings(context, report.problems);
  context.answer({ text: isMarkdown ? diffMarkdown(report) : reportText(report), value: report });
  if (!flags.exitCode) return;
  if (report.changed) throw new CommanderError('failed', 'the library differs from the source');
  if (report.completed !== undefined) throw new CommanderError('failed', pendingText(report.completed));
}

/** One or two words, `[library] [folder]`. */
type Words = readonly [first: string | undefined, second: string | undefined];

export async function validate(
  context: CommandContext,
  words: Words,
  overrides: SourceOverrides,
): Promise<void> {
  const { name, other: folder = overrides.source } = splitWords(context.config(), ...words);
  const library = chooseLibrary(context.config(), name);
  const report = await withLibraryErrors(() =>
    tasks.validate(library, { ...overrides, source: folder }, context.signal),
  );
  context.answer({ text: validationText(report), value: report });
  const errors = report.problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0)
    throw new CommanderError(
      'failed',
      `the library has ${errors.length} error${errors.length > 1 ? 's' : ''}`,
    );
}

export async function status(
  context: CommandContext,
  name: string | undefined,
  drift: boolean,
): Promise<void> {
  const library = chooseLibrary(context.config(), name);
  const found = await withLibraryErrors(() => tasks.status(library, { drift }));
  context.answer({ text: statusText(found), value: found });
}

export async function history(context: CommandContext, name: string | undefined): Promise<void> {
  const library = chooseLibrary(context.config(), name);
  const records = await withLibraryErrors(() => tasks.history(library));
  context.answer({ text: historyText(records), value: records });
}

export async function rollback(
  context: CommandContext,
  name: string | undefined,
  request: tasks.RollbackRequest,
): Promise<void> {
  const library = chooseLibrary(context.config(), name);
  const report = await withProgress(context, (events) => tasks.rollback(library, request, events));
  noteFindings(context, report.problems);
  context.answer({ text: reportText(report), value: report });
}

export async function pull(context: CommandContext, words: Words, force: boolean): Promise<void> {
  const { name, other: folder } = splitWords(context.config(), ...words);
  if (!folder)
    throw new CommanderError('usage', "missing required argument 'folder'; see svccmd library pull --help");
  const library = chooseLibrary(context.config(), name);
  const report = await withLibraryErrors(() => pullStoredLibrary(library, folder, force));
  if (report.pending !== undefined) {
    context.note(
      `warning: load ${report.pending} is running or was interrupted: the folder may have parts of two loads`,
    );
  }
  context.answer({ text: pullText(report), value: report });
}

function noteFindings(context: CommandContext, problems: readonly LibraryFinding[]): void {
  for (const problem of problems) context.note(findingText(problem));
}

async function withProgress<T>(context: CommandContext, run: (events: LoadEvents) => Promise<T>): Promise<T> {
  const { signal, interactive, stderr } = context;
  if (!interactive) return withLibraryErrors(() => run({ signal }));
  const { draw, clear } = progressLine(stderr, progressText);
  try {
    return await withLibraryErrors(() => run({ signal, onProgress: draw }));
  } finally {
    clear();
  }
}

function progressText({ phase, done = 0, total = 0 }: LoadProgress): string {
  return total > 0 ? `${phase} ${done} of ${total}` : phase;
}
