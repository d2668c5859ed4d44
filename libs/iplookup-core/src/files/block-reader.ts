import { readSync } from 'node:fs';
import type { StreamedBuilder } from '../build/streamed-builder.js';
import type { NumberedPiece } from '../scan/numbered-rows.js';
import type { BlockClaims } from './block-claims.js';
import type { BlockMessage } from './block-worker.js';
import { InputFileError } from './file.errors.js';

/** Bytes read at a time to find the end of a line. */
const LINE_BYTES = 1 << 12;

const LF = 10;

/** An open file. */
export interface OpenedFile {
  readonly fd: number;
  /** In messages. */
  readonly name: string;
  /** In bytes, when it was opened. */
  readonly size: number;
}

/** Reads a file from its start to its end for a builder, with pieces that another thread read ahead. */
export class BlockReader {
  /** Bytes read. */
  position = 0;
  hasEnded = false;
  private readonly pieces: NumberedPiece[] = [];
  /** Pieces whose texts the builder knows. */
  private learnt = 0;
  /** The last block of which the other thread posted all pieces. */
  private lastBlock = -1;
  /** Arrays that the other thread has not posted yet. */
  private requested = 0;
  private wake: () => void = () => undefined;

  /**
   * @param giveBack accepts the rows of a piece, in the order of the pieces
   * @param lacking where the other thread looks how much memory to post
   */
  constructor(
    private readonly builder: StreamedBuilder,
    private readonly file: OpenedFile,
    private readonly claims: BlockClaims,
    private readonly giveBack: () => void,
    private readonly lacking: Int32Array,
  ) {}

  /** Accepts what the other thread posts. */
  receive(message: BlockMessage): void {
    if (typeof message === 'number') this.lastBlock = message;
    else if ('texts' in message) this.pieces.push(message);
    else {
      this.requested--;
      this.builder.reuse(message);
    }
    this.wake();
  }

  /** The other thread posts no more. */
  receiveEnd(): void {
    this.lastBlock = Infinity;
    this.wake();
  }

  /** Waits for the other thread, or until the signal aborts. */
  async wait(signal: AbortSignal | undefined): Promise<void> {
    let stop!: () => void;
    await new Promise<void>((resolve) => {
      this.wake = stop = resolve;
      signal?.addEventListener('abort', stop, { once: true });
    });
    signal?.removeEventListener('abort', stop);
  }

  /** Reads on, at most to the end of a block. @returns false if it has to wait for the other thread */
  read(): boolean {
    this.requestMemory();
    const { builder, claims, position } = this;
    const block = Math.floor(position / claims.blockBytes);
    if (position >= this.file.size) this.readTo(Infinity);
    else if (!builder.canAdd) {
      claims.claim(block);
      this.readTo((block + 1) * claims.blockBytes);
    } else return this.readBlock(block);
    return true;
  }

  /** Reads on where a row starts. */
  private readBlock(block: number): boolean {
    const end = (block + 1) * this.claims.blockBytes;
    const piece = this.nextPiece();
    if (piece?.from === this.position) {
      if (this.builder.add(piece)) this.position = piece.to;
      else this.readTo(piece.to);
      this.drop();
      // Lines between pieces are left to this thread.
    } else if (piece !== undefined && piece.from < end) this.readTo(piece.from);
    else if (this.claims.claim(block) || this.lastBlock >= block) this.readTo(end);
    else return false;
    return true;
  }

  /** The first piece that starts at the position or later. Those before were read here, since a row ends amid them. */
  private nextPiece(): NumberedPiece | undefined {
    for (; this.learnt < this.pieces.length; this.learnt++) this.builder.learn(this.pieces[this.learnt]!);
    while (this.pieces.length > 0 && this.pieces[0]!.from < this.position) this.drop();
    return this.pieces[0];
  }

  private requestMemory(): void {
    const lacks = this.builder.lacksArrays - this.requested;
    if (lacks <= 0) return;
    this.requested += lacks;
    Atomics.add(this.lacking, 0, lacks);
  }

  private drop(): void {
    this.pieces.shift();
    this.learnt--;
    this.giveBack();
  }

  /** Reads the lines that start before `end`. */
  private readTo(end: number): void {
    while (this.position < end - 1) if (!this.push(end - 1 - this.position)) return;
    while (this.push(LINE_BYTES, true));
  }

  /**
   * Pushes the next bytes.
   *
   * @param inLine true to push nothing after the first line feed
   * @returns false at the end of the file, or once the line feed was pushed
   */
  private push(count: number, inLine = false): boolean {
    const { builder } = this;
    const { room } = builder;
    const read = this.readInto(room, count);
    const lineEnd = inLine ? room.subarray(0, read).indexOf(LF) : -1;
    const size = lineEnd < 0 ? read : lineEnd + 1;
    this.position += size;
    if (size === 0) this.hasEnded = true;
    else builder.pushed(size);
    return size > 0 && lineEnd < 0;
  }

  private readInto(room: Buffer, count: number): number {
    const { fd, name } = this.file;
    try {
      return readSync(fd, room, 0, Math.min(room.length, count), this.position);
    } catch (error) {
      throw InputFileError.from(name, error);
    }
  }
}
