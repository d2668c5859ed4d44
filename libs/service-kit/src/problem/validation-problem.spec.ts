import 'reflect-metadata';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
} from 'class-validator';
import type { ProblemDocument } from './problem-document.js';
import { StrictValidationPipe } from './strict-validation.pipe.js';

class Sample {
  @IsString()
  @MaxLength(5)
  name!: string;

  @IsInt()
  @Min(1)
  @Max(500)
  @IsOptional()
  limit?: number;

  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(['read', 'write'], { each: true })
  @IsOptional()
  scopes?: string[];

  @IsString()
  @Length(1, 3)
  @IsOptional()
  q?: string;

  @IsString()
  @Matches(/^[a-z]+$/, { message: 'word must be of small letters' })
  @IsOptional()
  word?: string;

  @ValidateBy({
    name: 'isAge',
    validator: { validate: (value) => value === '1 d', defaultMessage: () => 'age must be a day' },
  })
  @IsOptional()
  age?: string;
}

async function refusalOf(value: unknown): Promise<ProblemDocument> {
  const pipe = new StrictValidationPipe();
  const refusal = pipe.transform(value, { type: 'body', metatype: Sample });
  const problem = await refusal.then(
    () => Promise.reject(new Error('it was accepted')),
    (error: unknown) => error as { toDocument(instance: string, id: string): ProblemDocument },
  );
  return problem.toDocument('/', 'id');
}

test.each<[unknown, string, string, string]>([
  [{}, '/name', 'required', 'name is required'],
  [{ name: null }, '/name', 'type', 'name must be a string'],
  [{ name: 5 }, '/name', 'type', 'name must be a string'],
  [{ name: 'longer' }, '/name', 'too_long', 'name must be at most 5 characters long'],
  [{ name: '', limit: 'x' }, '/limit', 'type', 'limit must be a whole number'],
  [{ name: '', limit: 0 }, '/limit', 'too_small', 'limit must be at least 1'],
  [{ name: '', limit: 501 }, '/limit', 'too_large', 'limit must be at most 500'],
  [{ name: '', scopes: 'read' }, '/scopes', 'type', 'scopes must be a list'],
  [{ name: '', scopes: [] }, '/scopes', 'too_few', 'scopes must have at least 1 element'],
  [{ name: '', scopes: ['read', 'read'] }, '/scopes', 'duplicate', 'scopes must not contain duplicates'],
  [
    { name: '', scopes: ['fly', 'fly'] },
    '/scopes',
    'value_not_supported',
    'each element of scopes must be one of read, write',
  ],
  [{ name: '', q: '' }, '/q', 'length', 'q must be 1 to 3 characters long'],
  [{ name: '', word: 'A' }, '/word', 'format', 'word must be of small letters'],
  [{ name: '', word: 5 }, '/word', 'type', 'word must be a string'],
  [{ name: '', age: '2 d' }, '/age', 'format', 'age must be a day'],
  [{ name: '', foo: 1 }, '/foo', 'unknown_field', "'foo' is not supported"],
  [{ name: '', 'a/b~c\n': 1 }, '/a~1b~0c\ufffd', 'unknown_field', "'a/b~c\ufffd' is not supported"],
  [{ name: '', constructor: 1 }, '/constructor', 'unknown_field', "'constructor' is not supported"],
  [[{ name: '' }], '', 'type', 'send a JSON object'],
  [null, '', 'type', 'send a JSON object'],
  ['text', '', 'type', 'send a JSON object'],
])('%j has one violation, at %s', async (value, field, code, message) => {
  const { detail, errors } = await refusalOf(value);
  expect(errors).toEqual([{ field, code, message }]);
  expect(detail).toBe(`${field || 'the request'}: ${message}`);
});

test('every invalid field is listed', async () => {
  const { detail, errors } = await refusalOf({ limit: 0, foo: 1 });
  expect(errors?.map(({ field, code }) => `${field} ${code}`)).toEqual([
    '/foo unknown_field',
    '/name required',
    '/limit too_small',
  ]);
  expect(detail).toBe(
    "/foo: 'foo' is not supported; /name: name is required; /limit: limit must be at least 1",
  );
});

test('many long unknown names get a short response', async () => {
  const names = Array.from({ length: 999 }, (_, index) => [`${index}${'n'.repeat(890)}`, 1]);
  const document = await refusalOf({ name: '', ...Object.fromEntries(names) });
  expect(document.errors).toHaveLength(201);
  expect(document.errors?.[0]?.message).toBe(`'0${'n'.repeat(79)}...' is not supported`);
  expect(document.errors?.at(-1)).toEqual({
    field: '',
    code: 'more_problems',
    message: 'there are 799 more violations',
  });
  expect(document.detail).toHaveLength(1_000);
  expect(JSON.stringify(document).length).toBeLessThan(60_000);
});
