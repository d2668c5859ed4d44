import type { Command } from 'commander';

/** The options that keep a bad lookup from replacing a good one. */
export function addGuardOptions(command: Command): Command {
  return command
    .option('--guards', 'the usual guards: --verify --max-lost 5% --not-older')
    .option('--verify', 'the new lookup must be valid for all its readers')
    .option(
      '--max-lost <percentage>',
      'at most this share of the addresses that have a record may lose it: 5%; IPv4 and IPv6 count separately, as for the other limits',
    )
    .option(
      '--max-changed <limits>',
      'at most these shares of the addresses with a value in a column may change it: country_code=10%,asn=5%',
      collect,
    )
    .option('--max-share <percentage>', 'at most this share of the addresses may have the same record')
    .option(
      '--probe <probe>',
      'an address must have a value in the new lookup: "8.8.8.8 country_code US", - for none; may be repeated',
      collect,
    )
    .option('--probes <file>', 'a file of probes, one per line')
    .option('--not-older', 'the new lookup must not have been built before the former one')
    .option('--force', 'replace the former lookup even if guards fail; the result says who did');
}

function collect(text: string, texts: readonly string[] = []): readonly string[] {
  return [...texts, text];
}
