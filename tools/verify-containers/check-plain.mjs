import { buildLookup, encryptPasswords, findCommanderAgain, loadFolder } from './commander-jobs.mjs';
import {
  checkAlone,
  checkConfinement,
  checkLateDatabase,
  checkNetworks,
  checkOneCommand,
  checkServersConfinement,
  checkStopping,
} from './conduct.mjs';
import { loadFromGit } from './git-source.mjs';
import { findClientAgain, openConsole, useRegistry } from './registry-jobs.mjs';

export const scaled = false;

/** Each service once, with one PostgreSQL and one ZooKeeper. */
export async function check(stack, report) {
  await checkConfinement(stack, report);
  await checkServersConfinement(stack, report);
  await checkNetworks(stack, report);
  const client = await useRegistry(stack, report);
  await openConsole(stack, report);
  const encrypted = await encryptPasswords(stack, report);
  await loadFolder(stack, report);
  await loadFromGit(stack, report);
  await buildLookup(stack, report);
  await checkStopping(stack, report);
  await checkLateDatabase(stack, report);

  await stack.down();
  report.held('all containers are removed; only the volumes remain');
  await stack.up();
  await findClientAgain(stack, client, report);
  await findCommanderAgain(stack, encrypted, report);
  await checkAlone(stack, report);
  await checkOneCommand(stack, report);
}
