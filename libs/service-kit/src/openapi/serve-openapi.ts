import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ProblemDocument } from '../problem/problem-document.js';
import { addExamples } from './add-examples.js';
import { describeRefusals, type Refusals } from './describe-refusals.js';

export interface ApiDescription {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  /** Descriptions of the service's own tags. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Completes the document before it is served, such as with generated schemas. */
  readonly complete?: (document: OpenAPIObject) => OpenAPIObject;
  readonly refusals?: Refusals;
}

/** The tags that every service has. */
const TAGS = { health: 'Probes for a container engine or load balancer.', operations: 'Metrics.' };

/** Serves OpenAPI 3.1 at /openapi.json, and Swagger UI at /docs. */
export function serveOpenApi(app: NestFastifyApplication, api: ApiDescription): void {
  // Built on the first request, which most instances never get.
  SwaggerModule.setup('docs', app, () => documentOf(app, api), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: api.title,
  });
}

function documentOf(app: NestFastifyApplication, api: ApiDescription): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(api.title)
    .setDescription(api.description)
    .setVersion(api.version)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/', 'The server that serves this document.')
    // Not addBearerAuth, which claims that every token is a JWT.
    .addSecurity('bearer', { type: 'http', scheme: 'bearer' });
  for (const [tag, description] of Object.entries({ ...TAGS, ...api.tags })) builder.addTag(tag, description);
  const document = SwaggerModule.createDocument(app, builder.build(), { extraModels: [ProblemDocument] });
  return addExamples(describeRefusals(api.complete?.(document) ?? document, api.refusals));
}
