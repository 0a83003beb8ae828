"""PDF files that tests write."""

from collections.abc import Sequence


def write_pdf(pages: Sequence[str], *, title: str = "") -> bytes:
    """Return a PDF file with one page for each text, whose lines are one below the other."""
    kids = " ".join(f"{number} 0 R" for number in range(4, 4 + 2 * len(pages), 2))
    objects = [
        f"<< /Title ({_escaped(title)}) >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * number} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        lines = " ".join(f"({_escaped(line)}) Tj T*" for line in text.split("\n"))
        content = f"BT /F1 12 Tf 14 TL 50 780 Td {lines} ET" if text else ""
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    catalog = len(objects) + 1
    objects.append("<< /Type /Catalog /Pages 2 0 R >>")
    data, offsets = b"%PDF-1.4\n", list[int]()
    for number, body in enumerate(objects, start=1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    return data + (
        f"xref\n0 {size}\n0000000000 65535 f \n{table}"
        f"trailer << /Size {size} /Root {catalog} 0 R /Info 1 0 R >>\n"
        f"startxref\n{len(data)}\n%%EOF\n"
    ).encode("latin-1")


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
