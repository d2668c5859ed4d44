import 'reflect-metadata';
import type { CommandContext } from '../cli/command-context.js';
import { getMetadataStorage } from 'class-validator';
import { CsvBuildParameters, VendorBuildParameters } from './build-parameters.dto.js';
import { iplookupCommand } from './iplookup.command.js';

const commands = iplookupCommand({} as CommandContext).commands;

/** The options of a command by their parameters' names; `--no-types` is `types: false`. */
const optionsOf = (name: string): string[] =>
  commands
    .find((command) => command.name() === name)!
    .options.map((option) =>
      option.attributeName().replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    );

const parametersOf = (type: new () => object): string[] =>
  getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .map(({ propertyName }) => propertyName);

test.each([
  ['from-csv', CsvBuildParameters, ['file_name']],
  ['from-vendor', VendorBuildParameters, ['file_name']],
] as const)('every option of %s is a parameter over HTTP, and the other way round', (name, type, own) => {
  const parameters = new Set(parametersOf(type));
  expect([...new Set([...optionsOf(name), ...own])].sort()).toEqual([...parameters].sort());
});
