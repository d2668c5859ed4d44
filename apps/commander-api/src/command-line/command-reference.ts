import type { CommandContext, CommandEntry } from './command-context.js';
import { documentedCommands, fullName } from './documented-commands.js';

const PREAMBLE = `# svccmd: every command

What \`--help\` prints, in one page. [svccmd.md](svccmd.md) covers what all commands have in common.
`;

/** The help of the program and of every command below it, as a page in Markdown. */
export async function commandReference(
  commands: readonly CommandEntry[],
  context: CommandContext,
): Promise<string> {
  const sections = (await documentedCommands(commands, context)).map(
    ({ command, help }) => `## ${fullName(command)}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`,
  );
  return [PREAMBLE, ...sections].join('\n');
}
