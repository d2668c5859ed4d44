import { Module } from '@nestjs/common';
import { FeaturesController } from './features.controller.js';

/** What the registry supports. */
@Module({ controllers: [FeaturesController] })
export class FeaturesModule {}
