/** A store of pictures, and when it became that of this database: older files may belong to another one. */
export type OwnStore = { id: string; adoptedAt: Date };

type StoredPicture = {
  id: string;
  width: number;
  height: number;
  widths: number[];
  isComplete: boolean;
  placeholder: string;
};

export type MediaStore = {
  /**
   * Re-encodes a picture and stores it under a random id.
   * @param origin the key of fair queueing
   * @throws INSUFFICIENT_STORAGE, and the errors of encodePicture
   */
  save: (bytes: Buffer, origin?: string) => Promise<StoredPicture>;
  /**
   * Encodes the WebP files that `save` leaves to a job, from the upload or else from the JPEG.
   * @param storeWidths stores the widths; the upload is removed after it
   * @throws INSUFFICIENT_STORAGE, ENOENT without the picture
   */
  complete: (id: string, storeWidths: (widths: number[]) => Promise<unknown>) => Promise<void>;
  /** Encodes the WebP files up to AVIF_WIDTH as AVIF. @throws INSUFFICIENT_STORAGE, ENOENT without WebP files */
  addAvif: (id: string, widths: readonly number[]) => Promise<void>;
  /** Encodes `card.jpg`, if it is missing. @throws INSUFFICIENT_STORAGE, UNAVAILABLE, ENOENT without the picture */
  addCard: (id: string, origin: string) => Promise<void>;
  /** The absolute URL of a file of the picture, such as `480.webp`, `picture.jpg` or `card.jpg` (1200 × 630). */
  urlOf: (id: string, file: string) => string;
  /** The path of the same file on the site, for stored texts, which no change of the site's address outdates. */
  pathOf: (id: string, file: string) => string;
  defaultPhotoUrl: string;
  remove: (id: string) => Promise<void>;
  /**
   * Removes orphaned pictures older than an hour. If most of the store is orphaned, it belongs to another database,
   * and nothing is removed.
   * @returns the numbers of removed pictures and of those kept for that reason
   */
  sweep: (store: OwnStore, findExisting: (ids: string[]) => Promise<Set<string>>) => Promise<SweepResult>;
};

export type SweepResult = { removed: number; skipped: number };

export type PictureRequest = {
  id: string;
  file: string;
  method: string;
  origin?: string;
  headers: Partial<Record<"range" | "if-range" | "if-none-match" | "if-modified-since", string>>;
  /** Called before the body is read. @returns whether it is still wanted */
  admit?: (bytes: number) => Promise<boolean>;
};

export type PictureResponse = {
  status: 200 | 206 | 304 | 416;
  headers: Record<string, string>;
  /** Whole: a slow reader must not hold the connection to the store. */
  body: Buffer | null;
};

/** @returns null without the file @throws StoreUnavailable */
export type OpenPicture = (request: PictureRequest) => Promise<PictureResponse | null>;
