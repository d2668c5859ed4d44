import 'reflect-metadata';
import type { CommandContext } from '../../command-line/command-context.js';
import { INPUT_FORMATS } from '@svc/iplookup-core';
import { getMetadataStorage, validateSync } from 'class-validator';
import { CsvBuildParameters, MaxmindBuildParameters, VendorBuildParameters } from './build-parameters.dto.js';
import { iplookupCommand } from '../iplookup.command.js';

const commands = iplookupCommand({} as CommandContext).commands;

/** Names a file of the caller's, or is configured on a server. */
const ONLY_COMMAND_LINE = ['probes', 'threads'];

/** The options of a command by their parameters' names; `--no-types` is `types: false`. */
const optionsOf = (name: string): string[] =>
  commands
    .find((command) => command.name() === name)!
    .options.map((option) => option.attributeName().replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    .filter((name) => !ONLY_COMMAND_LINE.includes(name));

const parametersOf = (type: new () => object): string[] =>
  getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .map(({ propertyName }) => propertyName);

test.each([
  ['from-csv', CsvBuildParameters, ['file_name']],
  ['from-vendor', VendorBuildParameters, ['file_name']],
  ['from-maxmind', MaxmindBuildParameters, ['file_name']],
] as const)('every option of %s is a parameter over HTTP, and the other way round', (name, type, own) => {
  const parameters = new Set(parametersOf(type));
  expect([...new Set([...optionsOf(name), ...own])].sort()).toEqual([...parameters].sort());
});

test.each([
  ['from-csv', CsvBuildParameters],
  ['from-vendor', VendorBuildParameters],
] as const)('%s takes the same input formats over HTTP', (name, type) => {
  const { options } = commands.find((command) => command.name() === name)!;
  const choices = options.find(({ long }) => long === '--input-ip-format')!.argChoices;
  const taken = [...INPUT_FORMATS.keys()].filter((format) => {
    const parameters = Object.assign(new type(), { input_ip_format: format });
    return validateSync(parameters).length === 0;
  });
  expect(taken).toEqual(choices);
});
