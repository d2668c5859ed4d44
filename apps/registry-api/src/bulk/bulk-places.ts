import { Injectable } from '@nestjs/common';
import { SharedPlaces } from '@svc/service-kit';

/** Bulk requests that one process carries out at a time. Each holds a connection, and up to a thousand Clients in memory. */
@Injectable()
export class BulkPlaces extends SharedPlaces {
  constructor() {
    super({
      name: 'bulk requests',
      total: 6,
      perToken: 2,
      perAddress: 4,
      remedy: 'try again when one has finished',
    });
  }
}
