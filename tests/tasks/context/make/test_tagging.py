import numpy as np
import pytest

from earmark.tasks.context.make.documents import read_documents
from earmark.tasks.context.make.tagging import tag_documents


@pytest.mark.slow
def test_the_number_of_processes_does_not_matter(talks):
    documents = read_documents(talks)
    one, two = tag_documents(documents), tag_documents(documents, processes=2)
    assert all(np.array_equal(a.codes, b.codes) for a, b in zip(one, two, strict=True))
