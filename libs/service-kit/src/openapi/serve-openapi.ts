import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { describeRefusals, type Refusals } from './describe-refusals.js';

export interface ApiDescription {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  /** Last touch before it is served, such as schemas that come from a table. */
  readonly complete?: (document: OpenAPIObject) => OpenAPIObject;
  readonly refusals?: Refusals;
}

/** OpenAPI 3.1 at /openapi.json and a page to try it at /docs. */
export function serveOpenApi(app: NestFastifyApplication, api: ApiDescription): void {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(api.title)
    .setDescription(api.description)
    .setVersion(api.version)
    // Not addBearerAuth, which says that every token is a JWT.
    .addSecurity('bearer', { type: 'http', scheme: 'bearer' })
    .build();
  // Made when it is first asked for: most services are never asked.
  const makeDocument = (): OpenAPIObject => {
    const document = SwaggerModule.createDocument(app, config);
    return describeRefusals(api.complete?.(document) ?? document, api.refusals);
  };
  SwaggerModule.setup('docs', app, makeDocument, {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: api.title,
  });
}
