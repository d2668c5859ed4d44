import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * The process that listens on a port of this machine, as far as this user may see it.
 *
 * @param {number} port
 * @returns {{ pid: number, command: string } | undefined}
 */
export function portHolder(port) {
  const pid = existsSync('/proc/net/tcp') ? pidFromProc(port) : pidFromLsof(port);
  return pid === undefined ? undefined : { pid, command: commandOf(pid) };
}

/** The state of a listening socket in /proc/net/tcp. */
const LISTENING = '0A';

const MAX_COMMAND = 200;

/** Linux: the socket's inode from the table of connections, and the process that has it open. */
function pidFromProc(port) {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = ['/proc/net/tcp', '/proc/net/tcp6']
    .filter((path) => existsSync(path))
    .flatMap((path) => readFileSync(path, 'utf8').trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local.endsWith(`:${hex}`) && state === LISTENING)
    .map((columns) => `socket:[${columns[9]}]`);
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const pid = pids.find((each) => openFilesOf(each).some((link) => inodes.includes(link)));
  return pid === undefined ? undefined : Number(pid);
}

function openFilesOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  } catch {
    // It has ended, or belongs to somebody else.
    return [];
  }
}

function pidFromLsof(port) {
  const words = output('lsof', ['-nP', '-t', `-iTCP:${port}`, '-sTCP:LISTEN']).split('\n');
  return words[0] ? Number(words[0]) : undefined;
}

function commandOf(pid) {
  const line = existsSync('/proc/self/cmdline')
    ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    : output('ps', ['-o', 'args=', '-p', String(pid)]);
  return line.trim().slice(0, MAX_COMMAND);
}

function output(program, args) {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    // Not installed, or no such process.
    return '';
  }
}

/**
 * The process that started this one: its parent, or the parent of the shell between them.
 *
 * @returns {number}
 */
export function starter() {
  const { ppid: parent } = process;
  const stat = existsSync('/proc/self/stat')
    ? readFileSync(`/proc/${parent}/stat`, 'utf8').replace(/^\d+ \((.*)\) \S+ (\d+) [^]*$/, '$2 $1')
    : output('ps', ['-o', 'ppid=,comm=', '-p', String(parent)]);
  const [, above] = /^\s*(\d+) (?:.*\/)?\w*sh\s*$/.exec(stat) ?? [];
  return above === undefined ? parent : Number(above);
}

/** @param {number} pid */
export function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
