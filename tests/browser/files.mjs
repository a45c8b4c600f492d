// Small files of the kinds that analysts bring, written by hand: no library, and nothing binary in the repository.

const TABLE = Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest >>> 0;
});

const sum = (bytes) => (bytes.reduce((rest, byte) => (rest >>> 8) ^ TABLE[(rest ^ byte) & 255], 0xffffffff) ^ 0xffffffff) >>> 0;

/** A ZIP archive of texts, not compressed. */
function zip(parts) {
  const [files, entries] = [[], []];
  let offset = 0;
  for (const [name, text] of Object.entries(parts)) {
    const [title, data] = [Buffer.from(name), Buffer.from(text)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(sum(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(title.length, 22);
    const file = Buffer.concat([Buffer.from("PK\x03\x04"), common, title, data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    entries.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), common, rest, title]));
    files.push(file);
    offset += file.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, directory, end]);
}

const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** A workbook: `[name, rows]` for each sheet. */
export function xlsx(sheets) {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const list = sheets.map(([name], at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join("");
  const links = sheets.map((_, at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join("");
  const parts = {
    "[Content_Types].xml": `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    "xl/workbook.xml": `${XML}<workbook ${main} xmlns:r="${OFFICE}"><sheets>${list}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${XML}<Relationships xmlns="${RELATIONS}">${links}</Relationships>`,
  };
  for (const [at, [, rows]] of sheets.entries()) {
    const cell = (text, column, row) => `<c r="${String.fromCharCode(65 + column)}${row}" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`;
    const body = rows.map((cells, row) => `<row r="${row + 1}">${cells.map((text, column) => cell(text, column, row + 1)).join("")}</row>`).join("");
    parts[`xl/worksheets/sheet${at + 1}.xml`] = `${XML}<worksheet ${main}><sheetData>${body}</sheetData></worksheet>`;
  }
  return zip(parts);
}

/** A Word document of paragraphs. */
export function docx(paragraphs) {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`).join("");
  const type = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
  return zip({
    "[Content_Types].xml": `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    "_rels/.rels": `${XML}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/document.xml": `${XML}<w:document xmlns:w="${type}"><w:body>${body}</w:body></w:document>`,
  });
}

/** A PDF with one page of lines. */
export function pdf(lines) {
  const stream = `BT /F1 11 Tf 50 780 Td 16 TL ${lines.map((line) => `(${line.replace(/[\\()]/g, "\\$&")}) Tj T*`).join(" ")} ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let text = "%PDF-1.4\n";
  const places = objects.map((object, at) => {
    const place = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, "0")} 00000 n \n`;
  });
  const start = text.length;
  return Buffer.from(`${text}xref\n0 6\n0000000000 65535 f \n${places.join("")}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`);
}
