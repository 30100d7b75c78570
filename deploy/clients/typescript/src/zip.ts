import { deflateRawSync } from "node:zlib";

export interface Member {
  /** Its path in the archive, with forward slashes. */
  name: string;
  data: Uint8Array;
}

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});

function checksum(data: Uint8Array): number {
  let crc = ~0;
  for (const byte of data) crc = (crc >>> 8) ^ table[(crc ^ byte) & 0xff]!;
  return ~crc >>> 0;
}

const size = 22, utf8 = 0x800, deflated = 8, epoch = 0x21; // 1980-01-01, so that equal files make equal archives

/** A ZIP archive, equal bytes for equal members. */
export function zip(members: Member[]): Uint8Array {
  const local: Uint8Array[] = [], central: Uint8Array[] = [];
  let offset = 0;
  for (const { name, data } of members) {
    const path = Buffer.from(name), packed = deflateRawSync(data);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(utf8, 2);
    common.writeUInt16LE(deflated, 4);
    common.writeUInt16LE(epoch, 8);
    common.writeUInt32LE(checksum(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(path.length, 22);
    local.push(Buffer.from("PK\x03\x04", "latin1"), common, path, packed);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    central.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, place, path);
    offset += 30 + path.length + packed.length;
  }
  const end = Buffer.alloc(size);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(central.reduce((sum, part) => sum + part.length, 0), 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, ...central, end]);
}
