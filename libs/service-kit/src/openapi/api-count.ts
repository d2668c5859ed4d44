import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** A count in a response, in the API document. */
export const ApiCount = (description: string, example = 0) =>
  ApiProperty({ type: 'integer', minimum: 0, description, example });

/** As `ApiCount`, absent from some responses. */
export const ApiOptionalCount = (description: string, example?: number) =>
  ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description,
    ...(example !== undefined && { example }),
  });
