import { type LibraryFinding, type LoadProgress, findingText } from '@svc/library-sync';
import type { CommandContext } from '../command-line/command-context.js';
import { CommanderError } from '../errors/commander-error.js';
import { withLibraryErrors } from './libraries.errors.js';
import { diffMarkdown } from './diff-markdown.js';
import * as tasks from './library-tasks.js';
import type { SourceOverrides } from './open-library.js';
import { driftLines, historyText, pullText, reportText, statusText, validationText } from './report-text.js';
import { type LoadEvents, type LoadRequest, runLoad } from './run-load.js';

export async function load(context: CommandContext, request: LoadRequest): Promise<void> {
  const report = await withProgress(context, (events) => runLoad(context.config(), request, events));
  tell(context, report.problems);
  context.answer({ text: reportText(report), value: report });
}

export async function diff(
  context: CommandContext,
  flags: SourceOverrides & { readonly exitCode?: boolean; readonly format: 'text' | 'markdown' },
): Promise<void> {
  const report = await withProgress(context, (events) => tasks.diff(context.config(), flags, events));
  const isMarkdown = flags.format === 'markdown';
  // There they are part of the comment.
  if (!isMarkdown) tell(context, report.problems);
  context.answer({ text: isMarkdown ? diffMarkdown(report) : reportText(report), value: report });
  if (flags.exitCode && report.changed)
    throw new CommanderError('failed', 'the library differs from the source');
}

export async function validate(context: CommandContext, overrides: SourceOverrides): Promise<void> {
  const report = await withLibraryErrors(() => tasks.validate(context.config(), overrides, context.signal));
  context.answer({ text: validationText(report), value: report });
  const errors = report.problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0)
    throw new CommanderError(
      'failed',
      `the library has ${errors.length} error${errors.length > 1 ? 's' : ''}`,
    );
}

export async function status(context: CommandContext, drift: boolean): Promise<void> {
  const found = await withLibraryErrors(() => tasks.status(context.config(), { drift }));
  context.answer({ text: statusText(found), value: found });
}

export async function history(context: CommandContext): Promise<void> {
  const records = await withLibraryErrors(() => tasks.history(context.config()));
  context.answer({ text: historyText(records), value: records });
}

export async function rollback(context: CommandContext, request: tasks.RollbackRequest): Promise<void> {
  const report = await withProgress(context, (events) => tasks.rollback(context.config(), request, events));
  tell(context, report.problems);
  context.answer({ text: reportText(report), value: report });
}

export async function pull(context: CommandContext, folder: string, overwrite: boolean): Promise<void> {
  const report = await withLibraryErrors(() => tasks.pull(context.config(), folder, overwrite));
  context.answer({ text: pullText(report), value: report });
}

const DEFAULT_INTERVAL_MS = 60_000;

export async function watch(context: CommandContext, intervalS: number | undefined): Promise<void> {
  const config = context.config();
  const intervalMs =
    intervalS === undefined ? (config.source.intervalMs ?? DEFAULT_INTERVAL_MS) : intervalS * 1000;
  context.note(`checking every ${intervalMs / 1000} s`);
  await withLibraryErrors(() =>
    tasks.watch(config, intervalMs, context, (event) => {
      if (event.kind === 'loaded') {
        tell(context, event.report.problems);
        context.answer({ text: reportText(event.report), value: event.report });
      } else if (event.kind === 'changing') {
        context.note(`the source keeps changing; next check in ${event.nextMs / 1000} s`);
      } else if (event.kind === 'failed') {
        context.note(`${event.error.message}; next check in ${event.nextMs / 1000} s`);
      } else if (event.kind === 'drift-failed') {
        for (const line of driftLines(event.drift ?? [])) context.note(line);
        context.note(
          `${event.drift ? 'cannot repair the drift' : 'cannot detect drift'}: ${event.error.message}`,
        );
      } else if (event.kind === 'drifted' || event.kind === 'repaired') {
        for (const line of driftLines(event.drift)) context.note(line);
        if (event.kind === 'repaired')
          context.answer({ text: reportText(event.report), value: event.report });
      }
    }),
  );
}

function tell(context: CommandContext, problems: readonly LibraryFinding[]): void {
  for (const problem of problems) context.note(findingText(problem));
}

async function withProgress<T>(context: CommandContext, run: (events: LoadEvents) => Promise<T>): Promise<T> {
  const { signal, interactive, stderr } = context;
  if (!interactive) return withLibraryErrors(() => run({ signal }));
  try {
    return await withLibraryErrors(() => run({ signal, onProgress: drawProgress(stderr) }));
  } finally {
    stderr.write(ERASE_LINE);
  }
}

const REDRAW_MS = 100;
const ERASE_LINE = '\r\u001b[K';

/** One line on the terminal, redrawn in place. */
function drawProgress(terminal: CommandContext['stderr']): (progress: LoadProgress) => void {
  let last = 0;
  return ({ phase, done = 0, total = 0 }) => {
    if (Date.now() - last < REDRAW_MS) return;
    last = Date.now();
    terminal.write(`${ERASE_LINE}${total > 0 ? `${phase} ${done} of ${total}` : phase}`);
  };
}
