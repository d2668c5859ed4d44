import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import 'reflect-metadata';
import { ExportQuery } from './export.controller.js';

const messagesOf = (clientId: string) =>
  validateSync(plainToInstance(ExportQuery, { client_id: clientId })).flatMap(({ constraints }) =>
    Object.values(constraints ?? {}),
  );

test('accepts every client_id that registration does, including spaces', () => {
  expect(messagesOf('a client')).toEqual([]);
  for (const none of ['', 'é', 'a\tb', 'x'.repeat(256)]) {
    expect(messagesOf(none)).toEqual(['client_id must be 1 to 255 printable ASCII characters']);
  }
});
