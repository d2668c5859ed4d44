import { Module } from '@nestjs/common';
import { PasswordsController } from './passwords.controller.js';
import { PasswordsService } from './passwords.service.js';

/** `POST /encpwd`. */
@Module({ controllers: [PasswordsController], providers: [PasswordsService] })
export class PasswordsModule {}
