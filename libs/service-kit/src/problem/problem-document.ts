import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'Violation' })
export class Violation {
  @ApiProperty({
    description:
      'JSON pointer (RFC 6901) into the body, or into the parameters of a query (`/limit`); empty: the request as a whole.',
    example: '/redirect_uris/1',
  })
  readonly field!: string;

  @ApiProperty({ description: 'The rule that was broken, for programs.', example: 'not_absolute' })
  readonly code!: string;

  @ApiProperty({ description: 'The rule that was broken, as text.', example: 'must be an absolute URI' })
  readonly message!: string;
}

/** The body of every error response: RFC 9457, with the two members of OAuth. */
@ApiSchema({ name: 'Problem', description: 'A problem document (RFC 9457), with the two members of OAuth.' })
export class ProblemDocument {
  @ApiProperty({ description: 'URI of the kind of problem.', example: 'about:blank' })
  readonly type!: string;

  @ApiProperty({ description: 'Name of the kind of problem.', example: 'Bad Request' })
  readonly title!: string;

  @ApiProperty({ type: 'integer', description: 'The HTTP status.', example: 400 })
  readonly status!: number;

  @ApiProperty({
    description: 'What is wrong and how to fix it.',
    example: 'redirect_uris/1: must be an absolute URI',
  })
  readonly detail!: string;

  @ApiProperty({ description: 'Path of the request.', example: '/client' })
  readonly instance!: string;

  @ApiProperty({ description: 'Finds the request in the log.', example: 'req-1' })
  readonly request_id!: string;

  @ApiProperty({
    description:
      'OAuth error code (RFC 6749 section 5.2, RFC 6750 section 3.1, RFC 7591 section 3.2.2), such as invalid_request.',
    example: 'invalid_request',
  })
  readonly error!: string;

  @ApiProperty({
    description: '`detail` in ASCII.',
    example: 'redirect_uris/1: must be an absolute URI',
  })
  readonly error_description!: string;

  @ApiPropertyOptional({ type: [Violation], description: 'Each violation and where it is.' })
  readonly errors?: readonly Violation[];
}
