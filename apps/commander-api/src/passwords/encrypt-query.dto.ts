import { ApiPropertyOptional } from '@nestjs/swagger';
import { MAX_PLACE_BYTES, MAX_RECIPIENTS } from '@svc/password-format';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsOptional, IsString, Length } from 'class-validator';

/** Query of `POST /encpwd`. */
export class EncryptQuery {
  @ApiPropertyOptional({
    type: [String],
    maxItems: MAX_RECIPIENTS,
    description:
      'Public key of GET /encpwd/keys to seal the password to: its kid, or the name of its file without the extension. May be repeated (default: all of them).',
  })
  @Transform(({ value }: { value: unknown }) =>
    value === undefined || Array.isArray(value) ? value : [value],
  )
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_RECIPIENTS)
  @IsString({ each: true })
  @Length(1, 255, { each: true })
  readonly recipient?: string[];

  @ApiPropertyOptional({
    type: String,
    maxLength: MAX_PLACE_BYTES,
    description: 'Bind the password to a place, such as db.yaml/password, that readers can verify.',
  })
  @IsOptional()
  @IsString()
  @Length(1, MAX_PLACE_BYTES)
  readonly for?: string;
}
